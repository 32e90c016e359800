/** The message of a line of the log that is about a request of the TPP host. */
export const REQUEST = "request";

/** In what capacity a TPP asks: what a bank publishes is told apart by it (RTS art. 32(4)). */
export const services = ["aisp", "pisp", "cbpii"] as const;
export type Service = (typeof services)[number];

/** Nothing of what a request was about, nor whose: the standard's own id leads to what the bank has kept of it. */
export type RequestLine = {
  /** Missing for the endpoints of OAuth, and for what there is none for. */
  readonly service?: Service | undefined;
  readonly method: string;
  /** Missing when the connection ended before the answer was out, by the TPP as a rule. */
  readonly status?: number | undefined;
  /** Milliseconds from the request's headers to the last byte of its answer, or until the TPP went away. */
  readonly tookMs: number;
  readonly requestId?: string | undefined;
};

const SERVICE = /^\/open-banking\/[^/]+\/(?<service>[a-z]+)\//;

/** Of the path as it was sent. */
export function serviceOf(path: string): Service | undefined {
  const named = SERVICE.exec(path)?.groups?.["service"];
  return services.find((service) => service === named);
}
