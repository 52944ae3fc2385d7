import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage, ServerResponse } from "node:http";

/** The instrumentation and the pages are bundled apart, and each has this module; the store is one a process all the same. */
const KEY = Symbol.for("misstep.document");
type Document = AsyncLocalStorage<ServerResponse | null>;
type Holder = typeof globalThis & { [KEY]?: Document };

function current(): Document {
  const holder: Holder = globalThis;
  holder[KEY] ??= new AsyncLocalStorage();
  return holder[KEY];
}

/**
 * From now on every request knows its response, so that a page can say its status. Called once, before the server listens.
 * Node publishes a request right before it hands it over, in the same call: what is entered here holds for the request.
 */
export function watchDocuments(): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response } = requestOf(message);
    // An answer to the router in the browser is not a document: it is asked for by a page that reads it whatever it holds.
    const isDocument = request !== null && request.headers.rsc === undefined;
    current().enterWith(isDocument ? response : null);
  });
}

function requestOf(message: unknown): { request: IncomingMessage | null; response: ServerResponse | null } {
  const found = typeof message === "object" && message !== null ? message : {};
  return {
    request: "request" in found && found.request instanceof IncomingMessage ? found.request : null,
    response: "response" in found && found.response instanceof ServerResponse ? found.response : null,
  };
}

/**
 * Sets the status of the document that is being drawn, for a page that says in its place that it is not there (404) or could
 * not be made (500). Has to be called before a page's promise resolves: the head of the answer goes out with its first
 * element. Does nothing where the answer is not a document.
 */
export function setDocumentStatus(status: 404 | 500): void {
  const response = current().getStore();
  if (response) response.statusCode = status;
}
