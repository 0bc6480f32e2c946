import java.io.FileReader;
import weka.attributeSelection.InfoGainAttributeEval;
import weka.attributeSelection.SVMAttributeEval;
import weka.classifiers.functions.SMO;
import weka.core.Instances;

/** What Weka gives each attribute of an ARFF file: "name attribute value" on each line. */
public class Weights {
    // Far below Weka's default of 1e-3, at which the order of SVM-RFE is that of the solver's path.
    static final double TOLERANCE = 1e-10, EPSILON = 1e-12, C = 0.5;

    public static void main(String[] arguments) throws Exception {
        Instances data = new Instances(new FileReader(arguments[0]));
        data.setClassIndex(data.numAttributes() - 1);
        int features = data.numAttributes() - 1;
        InfoGainAttributeEval gain = new InfoGainAttributeEval();
        gain.buildEvaluator(data);
        for (int i = 0; i < features; i++) {
            System.out.println("gain " + i + " " + gain.evaluateAttribute(i));
        }
        if (data.numClasses() > 2) {
            return;
        }
        SMO machine = new SMO();
        machine.setC(C);
        machine.setToleranceParameter(TOLERANCE);
        machine.setEpsilon(EPSILON);
        machine.buildClassifier(data);
        double[] weights = machine.sparseWeights()[0][1];
        int[] columns = machine.sparseIndices()[0][1];
        for (int i = 0; i < weights.length; i++) {
            System.out.println("svm_one " + columns[i] + " " + weights[i] * weights[i]);
        }
        SVMAttributeEval rounds = new SVMAttributeEval();
        rounds.setComplexityParameter(C);
        rounds.setToleranceParameter(TOLERANCE);
        rounds.setEpsilonParameter(EPSILON);
        rounds.setPercentToEliminatePerIteration(10);
        rounds.setPercentThreshold(0);
        rounds.setAttsToEliminatePerIteration(1);
        rounds.buildEvaluator(data);
        for (int i = 0; i < features; i++) {
            System.out.println("svm_rfe " + i + " " + rounds.evaluateAttribute(i));
        }
    }
}
