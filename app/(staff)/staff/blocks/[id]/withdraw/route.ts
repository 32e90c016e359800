import { withdrawBlock } from "@/lib/staff/blocks";

export const { GET, POST } = withdrawBlock;
