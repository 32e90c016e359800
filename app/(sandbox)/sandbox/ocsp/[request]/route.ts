import { serveOcsp } from "@/lib/sandbox/certificate-status";
import { services } from "@/lib/services";

type Context = { readonly params: Promise<{ readonly request: string }> };

/** RFC 6960 A.1: small requests come in the address. */
export const GET = async (request: Request, { params }: Context) =>
  serveOcsp(services(), request, (await params).request);
