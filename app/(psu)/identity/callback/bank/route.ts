export { answerCallback as GET } from "@/lib/psu/answers/identity-provider";
