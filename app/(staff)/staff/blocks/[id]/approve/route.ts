import { approveBlock } from "@/lib/staff/blocks";

export const { GET, POST } = approveBlock;
