import { z } from "zod";

/** A link as the person who made it sees it afterwards. The token itself is shown once, when it is made. */
export const shareRowSchema = z.object({
  id: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  state: z.enum(["active", "expired", "revoked"]),
});
export type ShareRow = z.infer<typeof shareRowSchema>;

export const SHARE_DAYS_DEFAULT = 7;
export const SHARE_DAYS_MAX = 31;

export const shareRequestSchema = z.object({
  days: z.number().int().min(1).max(SHARE_DAYS_MAX).default(SHARE_DAYS_DEFAULT),
});

/** `path` is `/s/{token}`; the page adds the turn, the view and the file that are open. */
export const shareCreatedSchema = z.object({ share: shareRowSchema, path: z.string() });
export type ShareCreated = z.infer<typeof shareCreatedSchema>;
