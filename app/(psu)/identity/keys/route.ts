export { answerKeys as GET } from "@/lib/psu/answers/identity-provider";
