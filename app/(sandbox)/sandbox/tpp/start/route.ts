import { serveStart } from "@/lib/sandbox/serve-demo-tpp";
import { services } from "@/lib/services";

export const POST = (request: Request): Promise<Response> => serveStart(services(), request);
