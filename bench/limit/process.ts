import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import postgres from "postgres";
import { linesOf } from "./lines";
import { NO_CONSENT, type Plans } from "./plan";
import { replay } from "./replay";
import { isSealed } from "./seal";
import { type TlsFiles, tlsOptions } from "./tls";

/** From the parent, first this and then plans, each replacing those before. */
export type LimitSettings = {
  readonly tls: TlsFiles;
  readonly databaseUrl: string;
  /** To the database: as many as the product has. */
  readonly connections: number;
};

const [settings] = (await once(process, "message")) as [LimitSettings];
const lines = linesOf(Array.from({ length: settings.connections }, () => driver(settings)));
let plans: Plans = {};

const server = createServer(tlsOptions(settings.tls), (request, response) => {
  answer(request, response).catch((error: Error) => {
    response.writeHead(500).end(error.message);
  });
});
server.listen(0, () => process.send?.((server.address() as AddressInfo).port));
process.on("message", (given: Plans) => {
  plans = given;
  process.send?.("learnt");
});
process.on("disconnect", () => process.exit());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers, method, url } = request;
  const body = headers["content-length"] === undefined ? Buffer.alloc(0) : await bodyOf(request);
  if (!isSealed(headers, body)) throw new Error("the signature does not verify");
  const consentId = headers["consent-id"];
  const plan = plans[`${method} ${url}`]?.[typeof consentId === "string" ? consentId : NO_CONSENT];
  if (plan === undefined) throw new Error(`no plan for ${method} ${url}`);
  const filled = await replay(lines, plan, String(headers["x-request-id"]));
  response.writeHead(filled.status, [...filled.headers]).end(filled.body);
}

function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => resolve(Buffer.concat(chunks)));
    request.on("error", reject);
  });
}

/** Values go over the wire as they were recorded, and the rows are read as the product has them read. */
function driver({ databaseUrl }: LimitSettings): postgres.Sql {
  const opened = postgres(databaseUrl, {
    max: 1,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => undefined,
  });
  const asItIs = (value: unknown) => value;
  const { parsers, serializers } = opened.options;
  for (const type of Object.keys(serializers)) serializers[Number(type)] = asItIs;
  for (const type of [1082, 1083, 1114, 1184]) parsers[type] = asItIs;
  return opened;
}
