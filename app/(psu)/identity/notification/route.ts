export { answerNotification as POST } from "@/lib/psu/answers/identity-provider";
