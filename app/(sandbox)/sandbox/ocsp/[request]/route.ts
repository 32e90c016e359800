import { house } from "@/lib/composition";
import { serveOcsp } from "@/lib/sandbox/certificate-status/serve-status";

export const dynamic = "force-dynamic";

type Context = { readonly params: Promise<{ readonly request: string }> };

/** RFC 6960 A.1: small requests come in the address. */
export const GET = async (request: Request, { params }: Context) =>
  serveOcsp(house(), request, (await params).request);
