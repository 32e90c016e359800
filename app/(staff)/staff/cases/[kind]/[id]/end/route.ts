import { endingPermission } from "@/lib/staff/cases";

export const { GET, POST } = endingPermission;
