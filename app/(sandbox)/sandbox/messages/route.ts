import { house } from "@/lib/composition";
import { messagesResponse } from "./messages-response";

export const dynamic = "force-dynamic";

export const GET = (request: Request) => messagesResponse(house(), request);
