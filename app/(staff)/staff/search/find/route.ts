import { searching } from "@/lib/staff/cases";

export const { GET, POST } = searching;
