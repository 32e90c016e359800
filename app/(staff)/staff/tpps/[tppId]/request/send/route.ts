import { sendBlockRequest } from "@/lib/staff/blocks";

export const { GET, POST } = sendBlockRequest;
