import { Counter, type CounterConfiguration, Gauge, Histogram, register } from "prom-client";

// For Prometheus, served at a port of its own (lib/server/metrics.ts). prom-client's registry is one for the process, while
// this module may be in it more than once: Next has a module graph of its own for pages and for route handlers.

const seconds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function histogram<Label extends string>(name: string, help: string, labelNames: Label[]) {
  const known = register.getSingleMetric(name);
  if (known instanceof Histogram) return known as Histogram<Label>;
  return new Histogram<Label>({ name, help, labelNames, buckets: seconds });
}

function counter<Label extends string>(name: string, help: string, labelNames: Label[]) {
  const known = register.getSingleMetric(name);
  if (known instanceof Counter) return known as Counter<Label>;
  return new Counter<Label>({ name, help, labelNames } satisfies CounterConfiguration<Label>);
}

function gauge(name: string, help: string) {
  const known = register.getSingleMetric(name);
  return known instanceof Gauge ? known : new Gauge({ name, help });
}

export const requestSeconds = histogram(
  "drawbridge_request_duration_seconds",
  "Requests by area, endpoint, class of TPP and status; without a status the caller went away.",
  ["area", "endpoint", "tpp", "method", "status"],
);

export const turnWaitSeconds = histogram(
  "drawbridge_request_turn_wait_seconds",
  "How long requests of TPPs waited for their turn.",
  [],
);

export const coreBankSeconds = histogram(
  "drawbridge_core_bank_call_duration_seconds",
  "Calls of the core bank over HTTP, retries included.",
  ["operation", "outcome"],
);

export const coreBankMalformedAnswers = counter(
  "drawbridge_core_bank_malformed_answers_total",
  "Answers of the core bank that break its contract, by their form or by what they say.",
  ["operation"],
);

const outboundSeconds = histogram(
  "drawbridge_outbound_call_duration_seconds",
  "Calls of the identity provider and of issuers about certificates.",
  ["called", "outcome"],
);

/** The same call, counted and timed by whether it was answered. */
export function timed<Given extends readonly unknown[], Answer>(
  called: "identity-provider" | "certificate-issuer",
  call: (...given: Given) => Promise<Answer>,
): (...given: Given) => Promise<Answer> {
  return async (...given) => {
    const time = outboundSeconds.startTimer({ called });
    let outcome = "no-answer";
    try {
      const answer = await call(...given);
      outcome = "answer";
      return answer;
    } finally {
      time({ outcome });
    }
  };
}

export const providerFaults = counter(
  "drawbridge_identity_provider_faults_total",
  "Times that the identity provider has not answered as it should.",
  ["operation"],
);

export const statusFaults = counter(
  "drawbridge_certificate_status_faults_total",
  "Times that an issuer could not be asked about a TPP's certificate.",
  [],
);

export const attendedReadsAlike = counter(
  "drawbridge_attended_reads_alike_total",
  "Times that a TPP's attended reads have named one address for most of its PSUs.",
  [],
);

export const databaseWaitSeconds = histogram(
  "drawbridge_database_wait_seconds",
  "How long what had to wait for a connection to the database waited.",
  [],
);

export const databaseConnections = gauge(
  "drawbridge_database_connections",
  "Connections to the database that the pools may have, but for those of one connection.",
);

export const databaseConnectionsInUse = gauge(
  "drawbridge_database_connections_in_use",
  "Those of them on which a statement or a transaction is under way.",
);

export const databaseFaults = counter(
  "drawbridge_database_unavailable_total",
  "Statements and transactions for which the database was unavailable.",
  [],
);
