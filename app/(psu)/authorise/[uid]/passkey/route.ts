import { answering } from "@/lib/psu/route";

export const { GET, POST } = answering("passkey");
