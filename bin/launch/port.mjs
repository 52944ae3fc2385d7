import net from "node:net";

/**
 * Whether a TCP port can be listened on.
 * @param {number} port 0 to 65535
 * @param {string} [host]
 * @returns {Promise<string | null>} null when it is free, else the system's code (EADDRINUSE, EACCES, EADDRNOTAVAIL, ...)
 */
export function whyNotFree(port, host = "127.0.0.1") {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error) => resolve(/** @type {NodeJS.ErrnoException} */ (error).code ?? "unknown"));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)));
  });
}

/**
 * A TCP port of the loopback that nobody listens on now.
 * @returns {Promise<number>}
 */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.once("error", reject);
    server.listen({ port: 0, host: "127.0.0.1" }, () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}

/**
 * Whether something answers a TCP connection.
 * @param {string} host
 * @param {number} port
 * @param {number} [timeoutMs]
 * @returns {Promise<string | null>} null when it answers, else why not (a code, or "timeout")
 */
export function whyNoAnswer(host, port, timeoutMs = 5_000) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    const end = (reason) => {
      socket.destroy();
      resolve(reason);
    };
    socket.setTimeout(timeoutMs, () => end("timeout"));
    socket.once("connect", () => end(null));
    socket.once("error", (error) => end(/** @type {NodeJS.ErrnoException} */ (error).code ?? error.message));
  });
}
