import { serveCallback } from "@/lib/sandbox/serve-demo-tpp";
import { services } from "@/lib/services";

export const GET = (request: Request): Promise<Response> => serveCallback(services(), request);
