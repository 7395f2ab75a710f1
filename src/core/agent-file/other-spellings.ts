/** What people call our fields elsewhere: read with a warning. */
export const otherSpellings = {
  tools: [
    ...['toolsAllowed', 'allowTools', 'toolsAuthorized', 'authorizedTools', 'permittedTools', 'toolsPermitted'],
    'enabledTools',
    ...['toolAllowlist', 'toolsAllowlist', 'toolWhitelist', 'toolsWhitelist'],
  ],
  disallowedTools: [
    ...['deniedTools', 'denyTools', 'toolsDeny', 'toolsDenied', 'forbiddenTools', 'toolsForbidden', 'prohibitedTools'],
    ...['blockedTools', 'excludeTools', 'excludedTools', 'disabledTools', 'restrictedTools', 'toolsRestricted'],
    ...['toolDenylist', 'toolsDenylist', 'toolBlocklist', 'toolsBlocklist', 'toolBlacklist', 'toolsBlacklist'],
  ],
  permissionMode: ['permissionsMode'],
  budget: ['maxBudgetUsd', 'budgetUsd'],
  grace: ['gracePeriod'],
  criticalReminder: ['criticalSystemReminder', 'criticalSystemReminder_EXPERIMENTAL'],
  model: ['activeModel'],
}
