import { services } from "@/lib/services";

const serve = (request: Request): Promise<Response> =>
  services().authorisationServer.serve(request);

/** Every method goes to the authorisation server, which also answers for those it does not offer. */
export const everyMethod = {
  GET: serve,
  HEAD: serve,
  POST: serve,
  PUT: serve,
  PATCH: serve,
  DELETE: serve,
  OPTIONS: serve,
} as const;
