export { downloadReport as GET } from "@/lib/staff/blocks";
