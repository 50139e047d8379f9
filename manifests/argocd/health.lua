-- Argo CD's health of a DataChecksums, by the conditions that kstatus knows too.
local hs = {status = "Progressing", message = "waiting for the operator"}
if obj.status == nil or obj.status.conditions == nil then
  return hs
end
if obj.status.observedGeneration ~= obj.metadata.generation then
  hs.message = "the operator has not seen this generation yet"
  return hs
end
local conditions = {}
for _, condition in ipairs(obj.status.conditions) do
  conditions[condition.type] = condition
end
local ready = conditions["Ready"]
local stalled = conditions["Stalled"]
local corrupt = conditions["CorruptionDetected"]
if corrupt ~= nil and corrupt.status == "True" then
  hs.status = "Degraded"
  hs.message = corrupt.message
elseif obj.spec.suspend == true then
  hs.status = "Suspended"
  hs.message = ready ~= nil and ready.message or "suspended"
elseif stalled ~= nil and stalled.status == "True" then
  hs.status = "Degraded"
  hs.message = stalled.message
elseif ready ~= nil and ready.status == "True" then
  hs.status = "Healthy"
  hs.message = ready.message
elseif ready ~= nil then
  hs.message = ready.message
end
return hs
