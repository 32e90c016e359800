import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** As a collector gets it by OTLP, in JSON. */
export type ReceivedSpan = {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
};

type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: object }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, "service">[] }[];
  }[];
};

/** A collector that keeps what it gets. */
export async function traceReceiver() {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Sent;
    for (const { resource, scopeSpans } of resourceSpans) {
      const named = resource.attributes.find(({ key }) => key === "service.name");
      const service = Object.values(named?.value ?? {}).join();
      spans.push(...scopeSpans.flatMap((one) => one.spans.map((span) => ({ ...span, service }))));
    }
    response.writeHead(request.url === "/v1/traces" ? 200 : 404).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: spans as readonly ReceivedSpan[],
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
