import { serveOcsp } from "@/lib/sandbox/certificate-status";
import { services } from "@/lib/services";

export const POST = (request: Request) => serveOcsp(services(), request);
