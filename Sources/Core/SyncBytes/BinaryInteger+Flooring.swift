extension BinaryInteger {
    /// The quotient rounded towards minus infinity, for a positive divisor.
    @inline(__always)
    package func dividedFlooring(by divisor: Self) -> Self {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
