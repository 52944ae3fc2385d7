"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useCallback, useMemo } from "react";
import { type Address, formatAddress, parseAddress } from "./address";

export interface AddressState {
  address: Address;
  /** Goes to an address; Back undoes it. With `replace` it takes the place of the one that is open (a drag, a held key). */
  go: (address: Address, how?: "push" | "replace") => void;
  /** The address as a link of this page. */
  href: (address: Address) => string;
}

/** The address of the page as state. Going somewhere needs no round trip to the server; a pasted link is rendered there. */
export function useAddress(): AddressState {
  const search = useSearchParams();
  const pathname = usePathname();
  const address = useMemo(() => parseAddress(new URLSearchParams(search)), [search]);
  const href = useCallback(
    (next: Address) => {
      const query = formatAddress(next);
      return query === "" ? pathname : `${pathname}?${query}`;
    },
    [pathname],
  );
  const go = useCallback(
    (next: Address, how: "push" | "replace" = "push") => {
      const url = href(next);
      if (url === window.location.pathname + window.location.search) return;
      if (how === "replace") window.history.replaceState(null, "", url);
      else window.history.pushState(null, "", url);
    },
    [href],
  );
  return { address, go, href };
}
