import { betterAuth } from "better-auth";
import { prismaAdapter } from "better-auth/adapters/prisma";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { allowedOrigins } from "@/lib/http";
import { database } from "./client";
import { consumeSignInLink } from "./sign-in-links";

const SESSION_DAYS = 30;

/** better-auth's endpoint of ours: it trades a one-time link for a session. Called by the route, not open to the network. */
const signInLinkPlugin = {
  id: "sign-in-link" as const,
  endpoints: {
    signInWithLink: createAuthEndpoint(
      "/sign-in-with-link",
      { method: "POST", body: z.object({ token: z.string() }), metadata: { SERVER_ONLY: true } },
      async (context) => {
        const userId = await consumeSignInLink(context.body.token);
        const user = await context.context.internalAdapter.findUserById(userId);
        if (!user) throw new APIError("UNAUTHORIZED");
        const session = await context.context.internalAdapter.createSession(user.id);
        if (!session) throw new APIError("INTERNAL_SERVER_ERROR");
        await setSessionCookie(context, { session, user });
        return context.json({ ok: true });
      },
    ),
  },
};

function createAuth() {
  const { origin, secret } = env();
  if (secret === null) throw new AppError("unavailable", "MISSTEP_SECRET is not set: sessions cannot be signed.");
  const url = new URL(origin);
  // Cookies do not know ports: two Missteps on one machine would sign each other out under one name.
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return betterAuth({
    database: prismaAdapter(database(), { provider: "postgresql" }),
    secret,
    baseURL: origin,
    basePath: "/api/auth",
    trustedOrigins: allowedOrigins(origin),
    emailAndPassword: { enabled: false },
    session: { expiresIn: SESSION_DAYS * 86_400, updateAge: 86_400, cookieCache: { enabled: false } },
    telemetry: { enabled: false },
    // Nothing here can be guessed: sessions and links are 128 random bits or more.
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: `misstep-${port}`,
      useSecureCookies: url.protocol === "https:",
      defaultCookieAttributes: { httpOnly: true, sameSite: "lax", path: "/" },
    },
    logger: { level: "error" },
    plugins: [signInLinkPlugin],
  });
}

export type Auth = ReturnType<typeof createAuth>;
let cached: Auth | null = null;

/** better-auth over our tables, made on first use (it needs MISSTEP_SECRET and MISSTEP_ORIGIN). */
export function auth(): Auth {
  cached ??= createAuth();
  return cached;
}
