import { stayingSignedIn } from "@/lib/staff/sign-in";

export const { GET, POST } = stayingSignedIn;
