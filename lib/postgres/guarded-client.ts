import postgres from "postgres";
import { type Bounds, type Guard, guard, usualBounds } from "./guard";
import { connectionTarget } from "./primary";

/**
 * From a failed attempt to connect to the next. The client's own pause grows to twenty seconds, and
 * every request would wait for its end though the database is back.
 */
const RECONNECT_SECONDS = 0.5;

export type Settings = {
  /** Connections. */
  readonly max: number;
  readonly bounds?: Bounds;
  /** Is called with each statement that is sent, and its values. */
  readonly debug?: postgres.Options<typeof types>["debug"];
};

const asText = (value: string) => value;
const types: Record<string, postgres.PostgresType> = {
  // Dates and times come as texts: a day is no instant, and Drizzle's columns read theirs themselves.
  time: {
    to: 1184,
    from: [1082, 1083, 1114, 1184],
    serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
    parse: asText,
  },
  // Values are written as JSON before they come here.
  json: { to: 114, from: [114, 3802], serialize: asText, parse: JSON.parse },
};

/** What every client of the driver has here. */
export const clientOptions = {
  types,
  onnotice: () => undefined,
  max_lifetime: null,
  // Nobody could catch it when the connection is lost while the driver asks for them.
  fetch_types: false,
} as const;

/** Without Drizzle, which not every process needs. Connects lazily, as `connect` of client.ts does. */
export function guardedClient(databaseUrl: string, settings: Settings): Guard {
  const { max, bounds = usualBounds, debug = false } = settings;
  const target = connectionTarget(databaseUrl);
  const open = (onClose: () => void) => {
    // A connection of the last client was lost: another host may be the primary now.
    target.forget();
    return postgres(target.url, {
      ...clientOptions,
      ...target.options,
      max: 1,
      debug,
      connect_timeout: bounds.connect / 1_000,
      backoff: () => RECONNECT_SECONDS,
      onclose: onClose,
    });
  };
  return guard({ max, bounds, open });
}
