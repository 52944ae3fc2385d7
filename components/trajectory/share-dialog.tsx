"use client";

import { type ReactNode, useCallback, useEffect, useState } from "react";
import { z } from "zod";
import { Button, LinkButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import {
  SHARE_DAYS_DEFAULT,
  SHARE_DAYS_MAX,
  type ShareRow,
  shareCreatedSchema,
  shareRowSchema,
} from "@/lib/views/share";
import { fetchJson } from "./answers";
import { copyText } from "./copy-text";
import { formatMoment } from "./numbers";

const listSchema = z.object({ shares: z.array(shareRowSchema) });

const STATE: Record<ShareRow["state"], string> = { active: "active", expired: "expired", revoked: "revoked" };

/** Makes a read-only link to what is open, and lists and revokes the links that were made before. */
export function ShareDialog({
  api,
  query,
  place,
  open,
  onOpenChange,
}: {
  api: string;
  /** The query of what is open, without `?`. */
  query: string;
  /** What the link opens on, in words. */
  place: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}): ReactNode {
  const [days, setDays] = useState(String(SHARE_DAYS_DEFAULT));
  const [link, setLink] = useState<string | null>(null);
  const [shares, setShares] = useState<ShareRow[] | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const daysNumber = Number(days);
  const isValid = Number.isInteger(daysNumber) && daysNumber >= 1 && daysNumber <= SHARE_DAYS_MAX;

  const attempt = useCallback(async (work: () => Promise<void>) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : "That did not work.");
    } finally {
      setBusy(false);
    }
  }, []);
  const refresh = useCallback(async () => {
    setShares((await fetchJson(`${api}/shares`, listSchema)).shares);
  }, [api]);
  useEffect(() => {
    if (open) void attempt(refresh);
    else setLink(null);
  }, [open, attempt, refresh]);

  const create = () =>
    attempt(async () => {
      const made = await fetchJson(`${api}/shares`, shareCreatedSchema, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ days: daysNumber }),
      });
      setLink(`${window.location.origin}${made.path}${query === "" ? "" : `?${query}`}`);
      await refresh();
    });
  const revoke = (share: ShareRow) =>
    attempt(async () => {
      await fetchJson(`${api}/shares/${share.id}`, z.unknown(), { method: "DELETE" });
      await refresh();
    });

  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Share"
      description="Anyone with the link can read this import and this verdict, and nothing else. Secrets that we recognise are masked; the raw upload is not part of it."
      className="w-[min(560px,calc(100vw-32px))]"
    >
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (isValid && !isBusy) void create();
        }}
      >
        <label htmlFor="share-days" className="text-13">
          Opens on <b className="font-medium">{place}</b>, for
        </label>
        <input
          id="share-days"
          inputMode="numeric"
          value={days}
          onChange={(event) => setDays(event.target.value)}
          aria-invalid={!isValid}
          aria-describedby="share-days-hint"
          className="mono h-7 w-12 rounded-6 border border-line-2 bg-bg px-2 text-12 aria-invalid:border-dec"
        />
        <span id="share-days-hint" className="text-13 text-fg-2">
          days (1 to {SHARE_DAYS_MAX})
        </span>
        <Button type="submit" look="primary" className="ml-auto" disabled={!isValid || isBusy}>
          Create link
        </Button>
      </form>
      {link !== null && (
        <div className="mt-3">
          <div className="flex gap-2">
            <input
              readOnly
              value={link}
              aria-label="The new link"
              onFocus={(event) => event.currentTarget.select()}
              className="mono h-7 min-w-0 flex-1 rounded-6 border border-line-2 bg-bg-2 px-2 text-12"
            />
            <Button onClick={() => void copyText(link, "Link copied")}>Copy</Button>
          </div>
          <p className="mt-1 text-12 text-fg-3">It is shown this once: only its hash is stored.</p>
        </div>
      )}
      {failure !== null && (
        <p role="alert" className="mt-3 rounded-6 border border-dashed border-line-3 px-3 py-2 text-13 text-fg-2">
          {failure}
        </p>
      )}
      {shares !== null && shares.length > 0 && (
        <section className="mt-4">
          <h3 className="border-b border-line pb-1 text-12 font-medium text-fg-3">Links so far</h3>
          <ul>
            {shares.map((share) => (
              <li
                key={share.id}
                className="flex min-h-8 flex-wrap items-center gap-x-3 border-b border-line py-1 text-12 last:border-b-0"
              >
                <span className="w-14 font-medium">{STATE[share.state]}</span>
                <span className="min-w-0 flex-1 text-fg-2">
                  until {formatMoment(share.expiresAt)}
                  <span className="text-fg-3">, by {share.createdBy}</span>
                </span>
                {share.state === "active" && (
                  <LinkButton disabled={isBusy} onClick={() => void revoke(share)}>
                    Revoke
                  </LinkButton>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
