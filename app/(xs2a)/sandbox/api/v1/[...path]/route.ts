import { serveSandboxApi } from "@/lib/sandbox/api/serve";
import { services } from "@/lib/services";

const serve = (request: Request): Promise<Response> => serveSandboxApi(services(), request);

/** Every method: outside the sandbox nothing is there. */
export const GET = serve;
export const PUT = serve;
export const DELETE = serve;
export const POST = serve;
export const PATCH = serve;
export const OPTIONS = serve;
