import { unlockingCustomer } from "@/lib/staff/customers";

export const { GET, POST } = unlockingCustomer;
