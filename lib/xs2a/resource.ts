import { house } from "@/lib/composition";
import { reject } from "@/lib/domain/rejection";
import type { Runnable } from "./endpoint";
import { runRefusal } from "./pipeline";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof METHODS)[number];

/** What Next calls: the request, and the values of the folders in brackets. */
type Handler = (
  request: Request,
  context: { readonly params: Promise<Readonly<Record<string, unknown>>> },
) => Promise<Response>;

type Handlers = Readonly<Record<Method, Handler>>;

type Offered = Partial<Readonly<Record<"GET" | "POST" | "DELETE", Runnable>>>;

/** The methods of one path. Those not offered are a 405 in the standard's form, never a framework's answer. */
export function resource(offered: Offered): Handlers {
  const allow = Object.keys(offered).join(", ");
  const notOffered: Handler = (request) => {
    const text = `${request.method} is not offered here; ${allow} is`;
    return runRefusal(reject("SERVICE_INVALID", text, { headers: { allow } }), request, house());
  };
  const handlers = METHODS.map((method): [Method, Handler] => {
    const endpoint = (offered as Partial<Record<Method, Runnable>>)[method];
    return [method, endpoint === undefined ? notOffered : offering(endpoint)];
  });
  return Object.fromEntries(handlers) as Handlers;
}

/** Any path that is not there: 404 in the standard's form. */
export function unknownPath(): Handlers {
  const notThere: Handler = (request) => {
    const text = "there is nothing at this address";
    return runRefusal(reject("RESOURCE_UNKNOWN", text), request, house());
  };
  return Object.fromEntries(METHODS.map((method) => [method, notThere])) as Handlers;
}

function offering(endpoint: Runnable): Handler {
  return async (request, { params }) => endpoint(request, await params, house());
}
