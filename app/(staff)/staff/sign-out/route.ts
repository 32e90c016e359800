import { staffSignOut } from "@/lib/staff/sign-in";

export const { GET, POST } = staffSignOut;
