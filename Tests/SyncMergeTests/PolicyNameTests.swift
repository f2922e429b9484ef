import SyncMerge
import Testing

@Suite struct PolicyNameTests {
    @Test(arguments: DeletePolicy.allCases) func aRuleForDeletesIsKnownByItsName(policy: DeletePolicy) {
        #expect(DeletePolicy(name: policy.name) == policy)
        #expect(DeletePolicy(name: policy.name + "s") == nil)
    }
}
