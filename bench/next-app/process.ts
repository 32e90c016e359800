import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type TlsFiles, tlsOptions } from "../limit/tls";

/** From the parent: the folder of the built application, and what it speaks TLS with. */
export type NextSettings = { readonly folder: string; readonly tls: TlsFiles };

const [{ folder, tls }] = (await once(process, "message")) as [NextSettings];
const { default: next } = await import("next");
const app = next({ dev: false, dir: folder, hostname: "localhost", port: 443 });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer(tlsOptions(tls), (request, response) => void handle(request, response));
server.listen(0, () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());
