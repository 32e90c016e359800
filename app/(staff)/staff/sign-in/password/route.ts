import { demoSignIn } from "@/lib/staff/sign-in";

export const { GET, POST } = demoSignIn;
