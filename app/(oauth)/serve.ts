import { services } from "@/lib/services";

const serve = (request: Request): Promise<Response> =>
  services().authorisationServer.serve(request);

/** Every method goes to the authorisation server, which also answers for those it does not offer. */
export {
  serve as DELETE,
  serve as GET,
  serve as HEAD,
  serve as OPTIONS,
  serve as PATCH,
  serve as POST,
  serve as PUT,
};
