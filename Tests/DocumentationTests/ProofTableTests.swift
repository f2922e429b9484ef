import DocumentationPages
import Testing

/// The table of what causality and a window find in the real history; what a window finds is among the histories.
@Suite struct ProofTableTests {
    @Test(arguments: ProofTable.pages) func whatIsProvenIsWhatIsFound(page: String) throws { try ProofTable.checkProven(page: page) }
}
