import { type NextRequest, NextResponse } from "next/server";

/**
 * The policy of every page. Scripts need the nonce; styles may be inline because the editor sets them; workers may be
 * blobs for the same reason. In development React needs `eval` and the reload socket.
 */
function contentSecurityPolicy(nonce: string): string {
  const isDevelopment = process.env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src 'self'${isDevelopment ? " ws:" : ""}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/**
 * Sets the security headers of every page and hands the nonce to the layout. It decides nothing about who may read
 * what: pages and routes do that themselves. API routes are not matched: a proxy in front of them would cut long
 * uploads (it buffers bodies up to a limit), and they set their own headers. Only those with a `%` in their path are, which
 * no address of ours has: what cannot be decoded would be an error of the server.
 */
export function proxy(request: NextRequest): NextResponse {
  if (request.nextUrl.pathname.startsWith("/api/")) {
    // The route of addresses that no route has answers as all others do.
    return isDecodable(request.nextUrl.pathname)
      ? NextResponse.next()
      : NextResponse.rewrite(new URL("/api/none", request.url));
  }
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const policy = contentSecurityPolicy(nonce);
  const { pathname } = request.nextUrl;
  const requestHeaders = new Headers(request.headers);
  requestHeaders.set("x-nonce", nonce);
  requestHeaders.set("content-security-policy", policy);
  // What cannot be decoded would be an error of the server: no page can live at such an address.
  const response = isDecodable(pathname)
    ? NextResponse.next({ request: { headers: requestHeaders } })
    : new NextResponse("Nothing is at this address.\n", {
        status: 404,
        headers: { "content-type": "text/plain", "cache-control": "no-store" },
      });
  response.headers.set("content-security-policy", policy);
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("referrer-policy", "no-referrer");
  response.headers.set("cross-origin-opener-policy", "same-origin");
  response.headers.set("cross-origin-resource-policy", "same-origin");
  response.headers.set("permissions-policy", "camera=(), microphone=(), geolocation=()");
  if (pathname.startsWith("/s/")) {
    response.headers.set("x-robots-tag", "noindex, nofollow");
    response.headers.set("cache-control", "no-store");
  }
  if (pathname === "/sign-in/link") {
    // Under no-referrer a browser sends a form's POST with "Origin: null", which the sign-in route must refuse.
    // This policy sends the origin and never the path, so the token stays out of the Referer too.
    response.headers.set("referrer-policy", "strict-origin");
    response.headers.set("cache-control", "no-store");
  }
  return response;
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

export const config = {
  matcher: [
    { source: "/((?!api/|api$|_next/static/|_next/image$|favicon\\.ico$|icon\\.svg$).*)" },
    { source: "/api/(.*%.*)" },
  ],
};
