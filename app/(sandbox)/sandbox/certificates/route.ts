import { serveCertificates } from "@/lib/sandbox/serve-certificates";
import { services } from "@/lib/services";

export const POST = (request: Request): Promise<Response> => serveCertificates(services(), request);
