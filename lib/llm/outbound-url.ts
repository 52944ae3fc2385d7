import { BlockList, isIP } from "node:net";

/** Where a model is asked. */
export interface OutboundUrl {
  /** Scheme, host, port and path, without a query. */
  base: string;
  /** The query of the configured address, as Azure's `api-version`. */
  query: Record<string, string>;
  /** Host and port, for people. */
  host: string;
  hostname: string;
  isEncrypted: boolean;
}

export type ReadUrl = { ok: true; url: OutboundUrl } | { ok: false; reason: string };

/** Networks that are not the internet (RFC 6890 and its successors): this machine, private and shared ones. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
] as const) {
  PRIVATE.addSubnet(network, bits, "ipv4");
}
PRIVATE.addAddress("::", "ipv6");
PRIVATE.addAddress("::1", "ipv6");
PRIVATE.addSubnet("fc00::", 7, "ipv6");
PRIVATE.addSubnet("fec0::", 10, "ipv6");

/** Never a model: addresses of one link, where clouds keep their credentials, and what is not one machine. */
const NEVER = new BlockList();
NEVER.addSubnet("169.254.0.0", 16, "ipv4");
NEVER.addSubnet("224.0.0.0", 3, "ipv4");
NEVER.addSubnet("fe80::", 10, "ipv6");
NEVER.addSubnet("ff00::", 8, "ipv6");
NEVER.addAddress("fd00:ec2::254", "ipv6");

/** IPv6 networks whose last 32 bits, or those behind the prefix, are an IPv4 address. */
const EMBEDDING = new BlockList();
EMBEDDING.addSubnet("::ffff:0:0", 96, "ipv6");
EMBEDDING.addSubnet("::", 96, "ipv6");
EMBEDDING.addSubnet("64:ff9b::", 96, "ipv6");
EMBEDDING.addSubnet("2002::", 16, "ipv6");
EMBEDDING.addSubnet("2001::", 32, "ipv6");

type Reach = "public" | "private" | "never";

/** Names that only a private network knows. */
const PRIVATE_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/**
 * Reads the configured address of the endpoint (security test O2): https, or http in a private network; private
 * addresses and names only when they are allowed; no user name or password, no fragment. It comes from the environment and
 * from nowhere else (O1). The reason of a refusal does not repeat the address.
 */
export function readOutboundUrl(text: string, allowPrivate: boolean): ReadUrl {
  const given = text.trim();
  // Parsers disagree about backslashes and blanks, so nothing with one is an address.
  if (!URL.canParse(given) || /[\\\s]/.test(given)) return refused("is not an address");
  const url = new URL(given);
  if (url.protocol !== "https:" && url.protocol !== "http:") return refused("has to begin with https://");
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/*[^/?#]*@/i.test(given)) {
    return refused("must not hold a user name or a password; the key belongs into OPENAI_API_KEY");
  }
  if (url.hash !== "") return refused("must not hold a #");
  const hostname = url.hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (hostname === "") return refused("names no host");
  const reach = reachOfName(hostname);
  if (reach === "never") return refused("points to an address where no model is");
  if (reach === "private" && !allowPrivate) {
    return refused("points into a private network or to this machine; LLM_ALLOW_PRIVATE=1 allows it");
  }
  // Whether a name is a private one is known when it is resolved: checkAddresses.
  if (url.protocol === "http:" && !allowPrivate) {
    return refused("has to begin with https://; http:// is for private networks, with LLM_ALLOW_PRIVATE=1");
  }
  if (url.protocol === "http:" && reach === "public" && isIP(hostname) !== 0) {
    return refused("has to begin with https:// outside private networks");
  }
  let path = url.pathname;
  while (path.endsWith("/")) path = path.slice(0, -1);
  return {
    ok: true,
    url: {
      base: `${url.origin}${path}`,
      query: Object.fromEntries(url.searchParams),
      host: url.host,
      hostname,
      isEncrypted: url.protocol === "https:",
    },
  };
}

/**
 * Holds the addresses that a host's name resolved to against the same rules, so that no public name leads into the
 * private network, and nothing goes to the internet in clear text.
 * @returns what is wrong; null when it may be asked.
 */
export function checkAddresses(url: OutboundUrl, addresses: readonly string[], allowPrivate: boolean): string | null {
  const reaches = addresses.map(reachOfAddress);
  if (reaches.includes("never")) return "The model's host leads to an address where no model is.";
  if (!allowPrivate && reaches.includes("private")) {
    return "The model's host leads into a private network; LLM_ALLOW_PRIVATE=1 allows it.";
  }
  if (!url.isEncrypted && reaches.includes("public")) {
    return "The model's address begins with http://, but its host is not in a private network.";
  }
  return null;
}

function reachOfName(hostname: string): Reach {
  if (isIP(hostname) !== 0) return reachOfAddress(hostname);
  return PRIVATE_NAME.test(hostname) || !hostname.includes(".") ? "private" : "public";
}

function reachOfAddress(address: string): Reach {
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (NEVER.check(address, family)) return "never";
  if (PRIVATE.check(address, family)) return "private";
  const inside = family === "ipv6" && EMBEDDING.check(address, "ipv6") ? embeddedAddress(address) : null;
  return inside === null ? "public" : reachOfAddress(inside);
}

/** The IPv4 address inside an IPv6 address of one of the embedding networks. */
function embeddedAddress(address: string): string {
  // The URL parser writes IPv6 in one way: hexadecimal groups with at most one `::`.
  const canonical = new URL(`http://[${address.replace(/%.*$/, "")}]/`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  const groups = [...front, ...zeros, ...back].map((group) => Number.parseInt(group, 16));
  const pair = groups[0] === 0x2002 ? groups.slice(1, 3) : groups.slice(6, 8);
  // Teredo (2001::/32) writes the client's address with every bit turned.
  const turned = groups[0] === 0x2001 ? 0xffff : 0;
  return pair.flatMap((group) => [(group ^ turned) >> 8, (group ^ turned) & 0xff]).join(".");
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
