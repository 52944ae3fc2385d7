import { once } from "node:events";
import net from "node:net";

/**
 * How a call fails. `refused`: the server answers it with a serialisation error. `lost call`: the connection ends before
 * the server hears of it. `lost answer`: the server does it, and the connection ends before anybody hears of that.
 * `lost after`: it is done and answered, and then the connection ends.
 */
export const CALL_FAULTS = ["refused", "lost call", "lost answer", "lost after"] as const;
export type CallFault = (typeof CALL_FAULTS)[number];

/** A Postgres server behind a connection that tests can damage. */
export interface PostgresProxy {
  /** The server's address by way of the proxy. */
  url: string;
  /** Counts calls from one again and damages the `nth`; without arguments it only counts. */
  arm(nth?: number, fault?: CallFault): void;
  /** Calls since `arm`: statements, and groups of them that are sent together. */
  calls(): number;
  /** No server there: connections end and new ones are refused. */
  goAway(): Promise<void>;
  /** A server that answers nothing any more, and never will on the connections that it has. */
  hang(): void;
  /** As before `goAway` or `hang`, for new connections. */
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const REFUSAL = "DO $$ BEGIN RAISE EXCEPTION 'refused by the test' USING ERRCODE = '40001'; END $$";
/** A commit that a server refuses ends the transaction all the same. */
const REFUSED_COMMIT = `ROLLBACK; ${REFUSAL}`;

/** Starts a proxy in front of the server of `targetUrl`, on a free port of the loopback. Knows no TLS. */
export async function startPostgresProxy(targetUrl: string): Promise<PostgresProxy> {
  const target = new URL(targetUrl);
  const open = new Set<net.Socket>();
  let armed: { nth: number; fault: CallFault } | null = null;
  let calls = 0;
  let isHanging = false;

  const connect = (client: net.Socket): void => {
    const server = net.connect(Number(target.port || 5432), target.hostname);
    const both = [client, server];
    const end = (): void => {
      for (const socket of both) {
        socket.destroy();
        open.delete(socket);
      }
    };
    for (const socket of both) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", end).on("close", end);
    }
    let ending: CallFault | null = null;
    server.on("data", (data: Buffer) => {
      if (ending === "lost answer") end();
      else if (isHanging) return;
      else if (ending === "lost after" && isReady(data)) client.end(data, end);
      else client.write(data);
    });
    const read = callReader((message, isCall) => {
      if (isHanging) return;
      if (isCall) calls += 1;
      if (!isCall || armed === null || calls !== armed.nth) {
        server.write(message);
        return;
      }
      if (armed.fault === "refused") {
        server.write(simpleQuery(message.includes("COMMIT") ? REFUSED_COMMIT : REFUSAL));
      } else if (armed.fault === "lost call") end();
      else {
        ending = armed.fault;
        server.write(message);
      }
    });
    client.on("data", read);
  };

  const listener = net.createServer(connect);
  const listen = async (port: number): Promise<number> => {
    listener.listen(port, "127.0.0.1");
    await once(listener, "listening");
    const address = listener.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    return address.port;
  };
  const goAway = async (): Promise<void> => {
    if (!listener.listening) return;
    const closed = once(listener, "close");
    listener.close();
    for (const socket of open) socket.destroy();
    await closed;
  };
  const port = await listen(0);
  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    url: url.href,
    arm(nth, fault) {
      armed = nth === undefined || fault === undefined ? null : { nth, fault };
      calls = 0;
    },
    calls: () => calls,
    goAway,
    hang() {
      isHanging = true;
    },
    async comeBack() {
      isHanging = false;
      if (!listener.listening) await listen(port);
    },
    close: goAway,
  };
}

/**
 * Cuts what a client sends into calls: a simple query, or everything up to a Sync. The start of a connection, passwords
 * and goodbyes are handed on as they are.
 * @see https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
function callReader(handle: (message: Buffer, isCall: boolean) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  let hasStarted = false;
  let group: Buffer[] = [];
  return (data) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const header = hasStarted ? 1 : 0;
      if (rest.length < header + 4) return;
      const length = header + rest.readUInt32BE(header);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      const type = hasStarted ? String.fromCharCode(message[0] ?? 0) : "start";
      rest = rest.subarray(length);
      hasStarted = true;
      if (type === "start" || type === "p" || type === "X") handle(message, false);
      else if (type === "Q" || type === "S") {
        handle(Buffer.concat([...group, message]), true);
        group = [];
      } else group.push(message);
    }
  };
}

/** Whether this is the end of an answer: ReadyForQuery, six bytes. */
function isReady(data: Buffer): boolean {
  return data.length >= 6 && data.subarray(-6, -1).equals(Buffer.from([0x5a, 0, 0, 0, 5]));
}

function simpleQuery(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`, "utf8");
  const message = Buffer.alloc(5);
  message.write("Q");
  message.writeUInt32BE(4 + text.length, 1);
  return Buffer.concat([message, text]);
}
