import { forProject, readCode } from "@/app/api/v1/reads";

export const GET = readCode(forProject);
