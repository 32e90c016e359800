import { answering } from "@/lib/psu/request";

export const { GET, POST } = answering("approval");
