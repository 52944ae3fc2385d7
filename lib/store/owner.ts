import { database } from "./client";
import type { ProjectScope } from "./scope";
import { mintProjectScope } from "./scope-mint";

/**
 * The first user and the first project. Their ids are fixed, so that a first start that is interrupted, or done twice at
 * once, makes one of each. More users and projects are rows like these.
 */
const OWNER_ID = "owner";
const PROJECT_ID = "main";

/**
 * Makes the first user and project when they are missing and returns the right to act for that project. Only for commands
 * on the machine itself, which can read the database anyway.
 */
export async function ensureOwner(): Promise<ProjectScope> {
  await database().$transaction(async (tx) => {
    await tx.user.createMany({
      data: { id: OWNER_ID, name: "Owner", email: "owner@localhost", emailVerified: true, updatedAt: new Date() },
      skipDuplicates: true,
    });
    await tx.project.createMany({ data: { id: PROJECT_ID, name: "My project", slug: "main" }, skipDuplicates: true });
    await tx.membership.createMany({
      data: { projectId: PROJECT_ID, userId: OWNER_ID, role: "owner" },
      skipDuplicates: true,
    });
  });
  return mintProjectScope(PROJECT_ID, { kind: "system", id: OWNER_ID, name: "Owner" });
}

/** The user that a sign-in link made on this machine signs in. */
export function ownerUserId(): string {
  return OWNER_ID;
}
