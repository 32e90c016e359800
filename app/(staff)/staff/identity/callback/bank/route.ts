export { answerCallback as GET } from "@/lib/staff/sign-in";
