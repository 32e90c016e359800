import { house } from "@/lib/composition";
import { serveOcsp } from "@/lib/sandbox/certificate-status/serve-status";

export const dynamic = "force-dynamic";

export const POST = (request: Request) => serveOcsp(house(), request);
