import { refuseBlock } from "@/lib/staff/blocks";

export const { GET, POST } = refuseBlock;
