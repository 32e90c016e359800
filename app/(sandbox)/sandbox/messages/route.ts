import { messagesResponse } from "@/lib/sandbox/phone";
import { services } from "@/lib/services";

export const GET = (request: Request) => messagesResponse(services(), request);
