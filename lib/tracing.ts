import {
  type Attributes,
  context,
  createContextKey,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";

// Spans of a request, of its statements and of its calls of the core bank (lib/server/tracing.ts starts them). Attributes
// have few values: no path, id of a resource, name, IBAN or amount is one, and no text of an error.

/**
 * In the context of a request that is sampled, and nowhere else: a tracer that the whole process knew would be Next's too,
 * whose spans have whole URLs. A request that is not sampled has no context, which would cost each of its steps something.
 */
const TRACER = createContextKey("drawbridge tracer");

export type Traced = {
  readonly tracer: Tracer;
  readonly name: string;
  /** The span that the caller names, which it may have invented: linked, and never the parent. */
  readonly caller: SpanContext | undefined;
};

/** Handles a request in a span of its own, which `handle` ends; in none if it is not sampled. */
export function inRequestSpan<Result>(
  { tracer, name, caller }: Traced,
  handle: (span: Span | undefined) => Result,
): Result {
  const links = caller === undefined ? [] : [{ context: caller }];
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, root: true, links }, ROOT_CONTEXT);
  if (!span.isRecording()) return handle(undefined);
  const below = trace.setSpan(ROOT_CONTEXT.setValue(TRACER, tracer), span);
  return context.with(below, () => handle(span));
}

/** Does the work in a span below that of the request. Without one, it is just done. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
): Promise<Result> {
  const active = context.active();
  const tracer = active.getValue(TRACER) as Tracer | undefined;
  if (tracer === undefined) return work();
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, active);
  return context.with(trace.setSpan(active, span), async () => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Of the span around it, as W3C Trace Context has it. */
export function traceparent(): string | undefined {
  const span = trace.getSpanContext(context.active());
  if (span === undefined || !isSpanContextValid(span)) return undefined;
  const flags = span.traceFlags.toString(16).padStart(2, "0");
  return `00-${span.traceId}-${span.spanId}-${flags}`;
}
