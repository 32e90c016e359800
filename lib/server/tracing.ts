import {
  context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  type SpanContext,
  SpanStatusCode,
} from "@opentelemetry/api";
import { log } from "@/lib/log";
import { inRequestSpan } from "@/lib/tracing";
import { endpointOf } from "./dispatch";
import type { Step } from "./processes";
import { areaOf } from "./requests-seen";
import type { Handler } from "./tpp-host";

type Tracing = Step & {
  /** Traces each request, its statements and its calls of the core bank. */
  readonly traced: (handle: Handler) => Handler;
};

/** Of all requests, unless OTEL_TRACES_SAMPLER says otherwise: a trace costs a request some tens of microseconds. */
const SHARE_TRACED = 0.05;

/**
 * Sends traces of this process to an OpenTelemetry collector by OTLP over HTTP. The SDK, which is loaded here and nowhere
 * else, reads the other OTEL_* settings itself.
 */
export async function startTracing(endpoint: string, service: string): Promise<Tracing> {
  const [
    { AsyncLocalStorageContextManager },
    sdk,
    { resourceFromAttributes },
    { OTLPTraceExporter },
  ] = await Promise.all([
    import("@opentelemetry/context-async-hooks"),
    import("@opentelemetry/sdk-trace-base"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/exporter-trace-otlp-http"),
  ]);
  const lost = (detail: string) => log.warn({ detail }, "traces could not be sent");
  const silent = () => undefined;
  diag.setLogger(
    { error: lost, warn: lost, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.WARN,
  );
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const { OTEL_SERVICE_NAME = service, OTEL_TRACES_SAMPLER } = process.env;
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": OTEL_SERVICE_NAME }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
    ...(OTEL_TRACES_SAMPLER === undefined && {
      sampler: new sdk.TraceIdRatioBasedSampler(SHARE_TRACED),
    }),
  });
  const manager = new AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  const tracer = provider.getTracer("drawbridge");
  return {
    traced: (handle) => (request, response) => {
      const { method = "GET", url = "/", headers } = request;
      const caller = spanNamedIn(headers["traceparent"]);
      return inRequestSpan({ tracer, name: method, caller }, (span) => {
        if (span === undefined) return handle(request, response);
        response.once("close", () => {
          const route = endpointOf(response) ?? areaOf({ url }) ?? "other";
          span.updateName(`${method} ${route}`);
          span.setAttributes({ "http.request.method": method, "http.route": route });
          const { statusCode } = response;
          if (response.writableFinished) span.setAttribute("http.response.status_code", statusCode);
          if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        });
        return handle(request, response);
      });
    },
    finish: async () => {
      await provider.shutdown();
      context.disable();
      diag.disable();
    },
  };
}

const TRACEPARENT = /^00-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;

/** Undefined for a header that names none. */
function spanNamedIn(header: string | readonly string[] | undefined): SpanContext | undefined {
  if (typeof header !== "string") return undefined;
  const { traceId, spanId, flags } = TRACEPARENT.exec(header)?.groups ?? {};
  if (!traceId || !spanId || !flags) return undefined;
  const named = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return isSpanContextValid(named) ? named : undefined;
}
